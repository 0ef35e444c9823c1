/** Gives an object the identity of its call as a member that is made when it is read: most readers of events never read it. */
import type { CallIdentity } from "./CallIdentity.ts"

/** Makes its argument the instance, so that a plain object can have a private member. */
const Plain = function (object: object): object {
  return object
} as unknown as new (object: object) => object

class Identified extends Plain {
  readonly #identity: CallIdentity

  private constructor(object: object, identity: CallIdentity) {
    super(object)
    this.#identity = identity
  }

  /** One getter for all objects: V8 would make a hidden class for each that has a getter of its own. */
  private static readonly member: PropertyDescriptor & ThisType<Identified> = {
    enumerable: true,
    configurable: true,
    get() {
      return this.#identity.recorded
    },
  }

  static from(object: object, identity: CallIdentity): void {
    Object.defineProperty(new Identified(object, identity), "identity", Identified.member)
  }
}

/** The member is one of its own: it is in copies and in JSON as any other. */
export const identify = (object: { readonly identity?: string }, identity: CallIdentity): void =>
  Identified.from(object, identity)
