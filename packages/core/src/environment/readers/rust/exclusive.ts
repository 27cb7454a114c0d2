/*
 * Features are meant to be added to each other, but some packages have a few that cannot be compiled together.
 */

const SAID = /mutually[ -]exclusive/i
const LONGEST_CONDITION = 400

/** @param texts manifests, code and lines of a CI */
export const isExclusive = (texts: readonly string[]): boolean =>
  texts.some((text) => SAID.test(text) || refusesSome(text))

/** Whether an error of the compiler is written for several features together, and not for a lack of any. */
function refusesSome(code: string): boolean {
  return code
    .split('compile_error!', 20)
    .slice(0, -1)
    .some((before) => {
      const near = before.slice(-LONGEST_CONDITION)
      const condition = near.slice(Math.max(0, near.lastIndexOf('#[cfg(')))
      const wanted = condition.replace(/not\((?:any\([^()]*\)|[^()]*)\)/g, '')
      return (wanted.match(/\bfeature\s?=/g) ?? []).length > 1
    })
}
