"""What people add to a scene: places to look from, measurements and labels, as plain data.

Imports scene.system and scene.conventions.

    bookmarks        places to look at a scene from.
    measurement      Measurement: a distance, an angle, a circle, two faces or an area.
    labels           Label: a text at a point of an object, and its markup.
    annotation_json  all of them, from and to JSON.
"""
