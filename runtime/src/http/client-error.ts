import { present } from './present.ts';

/** The class of a client's errors. Its members depend on the kind, which a class cannot express. */
export type ClientError<Facts> = new (message: string, facts: Facts, cause?: unknown) => Error & Facts;

// By name in the whole program: two copies of a package, or two programs in one page, have two classes.
const readBrand = (name: string): symbol => Symbol.for(`${name} of a generated client`);

/** Told apart by a brand instead of a class, since a program may hold two copies of a package. */
export function hasBrand(value: unknown, name: string): boolean {
  return Reflect.get(Object(value), readBrand(name)) === true;
}

/** The class has a name of its own, which consoles and stacks show. */
export function createErrorClass<Facts extends object>(name: string): ClientError<Facts> {
  const made = class extends Error {
    constructor(message: string, facts: Facts, cause?: unknown) {
      super(message, present({ cause }));
      Object.assign(this, { name }, facts);
    }
    get [readBrand(name)](): true {
      return true;
    }
    toJSON(): object {
      return { ...this, message: this.message };
    }
  };
  // Not a static member: compilers that assign class fields would write to a read-only property.
  Object.defineProperty(made, 'name', { value: name });
  return made as never; // its members are assigned
}
