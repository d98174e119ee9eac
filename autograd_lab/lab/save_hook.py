"""What the server changes in a notebook when JupyterLab saves it: widgets leave, drawing and table stay.

A saved widget needs the state of a kernel that is gone by the time the notebook is opened again; JupyterLab
then shows an error in its place. Without it, the same output shows its next best form: the drawing, or the
table.
"""

WIDGET = "application/vnd.jupyter.widget-view+json"


def drop_widget_state(model, **kwargs):
    """Jupyter's `pre_save_hook`: changes the model that is about to be written, nothing on the page.

    An output that has no other form than the widget is left alone.

    >>> output = {"output_type": "display_data", "data": {WIDGET: {}, "text/plain": "a table"}}
    >>> content = {"metadata": {"widgets": {}}, "cells": [{"cell_type": "code", "outputs": [output]}]}
    >>> drop_widget_state({"type": "notebook", "content": content})
    >>> content
    {'metadata': {}, 'cells': [{'cell_type': 'code', 'outputs':
        [{'output_type': 'display_data', 'data': {'text/plain': 'a table'}}]}]}
    """
    content = model.get("content")
    if model.get("type") != "notebook" or not content:
        return
    content["metadata"].pop("widgets", None)
    for cell in content["cells"]:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if len(data) > 1:
                data.pop(WIDGET, None)
