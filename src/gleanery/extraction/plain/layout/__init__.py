"""Page layout: HTML as a list of blocks, without menus and adverts. Pure."""
