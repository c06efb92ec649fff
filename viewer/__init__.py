"""Everything with a picture or a person: camera, frame, renderer, window, panels, command line."""
