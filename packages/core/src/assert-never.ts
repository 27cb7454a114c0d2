/** The default branch of a switch over a union: a new member does not compile until somebody decides about it. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`)
}
