/** Root folder of this package: source and bundle are both one folder below it. */

export const packageRoot = new URL("..", import.meta.url)
