import { describe, expect, test } from 'vitest'
import { digestText } from '../../digest-reader.ts'
import { fixture } from '../../testing/fixture.ts'

const of = (name: string) => digestText(fixture(`tsc/${name}`))

describe('tsc', () => {
  test('shows five errors under their number, and says how many more there are', () => {
    const { digest, ...rest } = of('errors')
    expect(rest).toMatchObject({ tool: 'tsc', type: 'build', passed: false, failures: 12 })
    expect(digest.split('\n')).toEqual([
      '[BUILD] 12 build errors:',
      "src/a.ts(1,10): error TS6133: 'missing' is declared but its value is never read.",
      "src/a.ts(1,25): error TS2307: Cannot find module './nowhere' or its corresponding type declarations.",
      "src/a.ts(3,14): error TS2322: Type 'string' is not assignable to type 'number'.",
      "src/a.ts(4,53): error TS2551: Property 'nam' does not exist on type 'User'. Did you mean 'name'?",
      "src/a.ts(6,3): error TS2345: Argument of type 'string' is not assignable to parameter of type 'number'.",
      '(+ 7 more errors)',
    ])
  })

  test.each(['pretty', 'build-mode'])('reads the same errors from its %s output', (name) => {
    expect(of(name)).toMatchObject({ failures: 12, fingerprint: of('errors').fingerprint })
  })

  test('reads the pretty form of TypeScript 5 and syntax errors', () => {
    expect(of('pretty-5').failures).toBe(12)
    expect(of('syntax')).toMatchObject({ failures: 4 })
  })

  test('keeps the further lines of an error', () => {
    const overload = of('errors').findings.find((key) => key.includes('No overload'))
    expect(overload).toContain("Argument of type 'boolean' is not assignable")
  })

  test('counts errors that have no place in a file', () => {
    expect(of('bad-config')).toMatchObject({ failures: 3 })
    expect(of('no-config').digest).toContain('error TS5058: The specified path does not exist')
  })

  test('is recognised as passed when it says so', () => {
    expect(of('passed-watch')).toMatchObject({ tool: 'tsc', passed: true, failures: 0 })
    expect(digestText(fixture('tsc/passed'), { tool: 'tsc' })).toMatchObject({ passed: true, failures: 0 })
  })

  test('reads errors behind the prefix of a workspace runner', () => {
    const { digest } = digestText('packages/web build: src/a.ts(3,5): error TS2322: No.\n')
    expect(digest).toBe('[BUILD] 1 build error:\nsrc/a.ts(3,5): error TS2322: No.')
  })
})
