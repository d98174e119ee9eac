"""The README's first example prints and draws what the README shows."""

import make_readme_picture


def test_the_example_prints_and_draws_what_is_shown():
    printed, drawing = make_readme_picture.run_example()
    assert printed == make_readme_picture.stored_output(), "run tools/make_readme_picture.py --write"
    assert drawing == make_readme_picture.PICTURE.read_bytes(), "run tools/make_readme_picture.py --write"
