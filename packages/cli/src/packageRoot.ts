/** Where this package lies: the same from its source and from the bundle, which are both one folder deep. */

export const packageRoot = new URL("..", import.meta.url)
