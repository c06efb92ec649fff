"""Annotations that people add to a scene, as plain data: bookmarks, measurements, labels and the 3D cursor.

Imports scene.system and scene.conventions.

    bookmarks        places to look at a scene from.
    measurement      Measurement: a distance, an angle, a circle, two faces or an area.
    labels           Label: a text at a point of an object, and its markup.
    cursor           the 3D cursor.
    annotation_json  the first three, from and to JSON.
"""
