/** The value of a key that an author chose: `constructor` and other names that every object inherits are keys like any other. */
export const ownMember = <V>(
  object: { readonly [key: string]: V } | undefined,
  key: string,
): V | undefined => (object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined)
