"""Sentence vectors of tasks, from a model folder that the person names. The extra `learnloop[vectors]`.

Only `onnx_model` and `row_search` load what the extra installs.
They are imported where vectors are asked for.
"""
