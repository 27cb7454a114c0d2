import { declaresTests } from '../tamper/tamper.ts'

/** Within a line and bounded, so that a source is read once whatever else it has. */
const INCLUDE = /^[ \t]{0,20}#[ \t]{0,20}include[ \t]{0,20}[<"]([^">\n]{1,200})[">]/gm
const FRAMEWORK = /(?:^|\/)(catch|doctest|gtest|gmock)/

/** The framework of tests that a source in C or C++ includes; null: it has no tests. */
export function frameworkOf(text: string): string | null {
  for (const [, path = ''] of text.matchAll(INCLUDE)) {
    const name = FRAMEWORK.exec(path)?.[1]
    if (name !== undefined) return declaresTests(text) ? (name === 'catch' ? 'Catch2' : name) : null
  }
  return null
}
