import { describe, expect, test } from 'vitest'
import { digestText } from '../../digest-reader.ts'
import { fixture } from '../../testing/fixture.ts'

const of = (name: string) => digestText(fixture(name))
const linesOf = (name: string) => of(name).digest.split('\n')

describe('Vite', () => {
  test.each([
    ['import', "src/main.jsx:1:19: [UNRESOLVED_IMPORT] Could not resolve './missing.js' in src/main.jsx"],
    ['syntax', 'src/x.js:3:6: [PARSE_ERROR] Unexpected token'],
    ['syntax-colour', 'src/x.js:3:6: [PARSE_ERROR] Unexpected token'],
    ['export', 'src/main.jsx:1:10: [MISSING_EXPORT] "nope" is not exported by "src/x.js".'],
    ['noindex', '[UNRESOLVED_ENTRY] Cannot resolve entry module index.html.'],
    ['pkg', 'Error: [vite]: Rolldown failed to resolve import "dayjs-nowhere" from "src/main.jsx".'],
    ['css', '[plugin vite:css] src/a.css:1:0'],
    ['rolldown', "m.js:1:61: [UNRESOLVED_IMPORT] Could not resolve './missing2.js' in m.js"],
    ['import-6', 'Could not resolve "./missing.js" from "src/main.jsx"'],
    ['syntax-6', 'src/x.js (3:5): Expression expected'],
    ['export-6', 'src/main.jsx (1:9): "nope" is not exported by "src/x.js", imported by "src/main.jsx".'],
    ['rollup', 'RollupError: Could not resolve "./missing2.js" from "m.js"'],
  ])('says in one line what is wrong: %s', (name, line) => {
    expect(of(`vite/${name}`)).toMatchObject({ tool: 'vite', type: 'build', passed: false, failures: 1 })
    expect(linesOf(`vite/${name}`).slice(0, 2)).toEqual(['[BUILD] 1 build error:', line])
  })

  test('shows neither the stack nor the drawing of the source', () => {
    expect(linesOf('vite/css')).toEqual([
      '[BUILD] 1 build error:',
      '[plugin vite:css] src/a.css:1:0',
      '  CssSyntaxError: [postcss] src/a.css:1:1: Unclosed block',
    ])
  })

  test.each(['passed', 'passed-6'])('is recognised as built: %s', (name) => {
    expect(of(`vite/${name}`)).toMatchObject({ tool: 'vite', passed: true, failures: 0 })
  })
})

describe('webpack', () => {
  test.each(['errors', 'colour'])('reads module, place and reason from %s', (name) => {
    expect(of(`webpack/${name}`)).toMatchObject({ tool: 'webpack', type: 'build', passed: false, failures: 6 })
    expect(linesOf(`webpack/${name}`).filter((line) => !line.startsWith(' '))).toEqual([
      '[BUILD] 6 build errors:',
      'src/bad.jsx: SyntaxError: src/bad.jsx: Unterminated JSX contents. (2:37)',
      expect.stringMatching(/^src\/a\.css .*: SyntaxError$/),
      "src/index.js 1:0-29: Module not found: Error: Can't resolve './missing' in 'src'",
      "src/index.js 4:0-33: Module not found: Error: Can't resolve 'dayjs-nowhere' in 'src'",
      'src/syntax.js 1:13: Module parse failed: Unexpected token (1:13)',
      '(+ 1 more errors)',
    ])
  })

  test('reads the type errors of ts-loader', () => {
    expect(linesOf('webpack/types')).toEqual([
      '[BUILD] 1 build error:',
      "src/t.ts 1:13-14: TS2322: Type 'string' is not assignable to type 'number'.",
    ])
  })

  test('reports a missing entry', () => {
    expect(linesOf('webpack/no-entry')[1]).toMatch(/^main: Module not found: Error: Can't resolve '\.\/src\/index\.js'/)
  })

  test('has passed with warnings', () => {
    expect(of('webpack/passed')).toMatchObject({ tool: 'webpack', passed: true, failures: 0 })
    expect(of('webpack/warnings')).toMatchObject({ tool: 'webpack', passed: true, failures: 0 })
  })
})
