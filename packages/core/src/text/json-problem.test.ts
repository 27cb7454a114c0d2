import { expect, test } from 'vitest'
import { jsonProblem } from './json-problem.ts'

test.each([
  ['{\n  "test": "npm test",\n  "setup": \n}\n', 'line 4: a value is missing before }'],
  ['// ours\n{}', 'line 1: a comment, which JSON does not have'],
  ['{\n  "a": 1, // why\n  "b": 2\n}', 'line 2: a comment, which JSON does not have'],
  ['{\n  "a": 1,\n}', 'line 3: a comma too many before it'],
  ['[1,\n2,]', 'line 2: a comma too many before it'],
  ['{\n  "a": 1\n  "b": 2\n}', 'line 3: "," or the end of it is missing before "b": 2'],
  ["{ 'a': 1 }", "line 1: a key in double quotes is missing before 'a': 1 }"],
  ['{ "a" 1 }', 'line 1: ":" is missing before 1 }'],
  ['{ "a": "x\ny" }', 'line 1: a value is missing before "x'],
  ['{ "a": [1, 2 }', 'line 1: "," or the end of it is missing before }'],
  ['{ "a": {', 'line 1: it ends where a key in double quotes is missing'],
  ['', 'line 1: it ends where a value is missing'],
  ['{}\n{}', 'line 2: there is more behind its end: {}'],
  ['{ "a": tru }', 'line 1: a value is missing before tru }'],
])('%j: %s', (text, says) => {
  expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError)
  expect(jsonProblem(text)).toBe(says)
})

test.each(['{}', ' [] ', '{"a":{"b":[1,-2.5e3,{}],"c":"\\u00e9\\n"},"d":null}', '"x"', '0', 'true', '"\u007f\u0085"'])(
  '%s is JSON',
  (text) => {
    expect(() => JSON.parse(text) as unknown).not.toThrow()
    expect(jsonProblem(text)).toBeNull()
  },
)
