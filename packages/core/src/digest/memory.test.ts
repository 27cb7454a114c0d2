// @suite unit-long
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { DigestReader } from './digest-reader.ts'

/** The `at`-th failure of each output; it differs from all others. */
const outputs: Record<string, (at: number) => string> = {
  tsc: (at) => `src/part${at}.ts(${at},1): error TS2322: Type 'A${at}' is not assignable to type 'B${at}'.\n`,
  gcc: (at) => `src/part${at}.c:${at}:3: error: 'name${at}' undeclared\n    return name${at};\n`,
  tap: (at) => `not ok ${at} - part ${at} adds up\n  ---\n  expected: ${at}\n  actual: ${at + 1}\n  ...\n`,
  vitest: (at) =>
    ` FAIL  src/part${at}.test.ts > adds up ${at}\nAssertionError: expected ${at} to be ${at + 1}\n⎯⎯⎯⎯[${at}/9]⎯\n`,
  pytest: (at) =>
    `_____ test_part${at} _____\n\n>   assert ${at} == 0\nE   assert ${at} == 0\n\ntests/a${at}.py:3: AssertionError\n`,
  'a document that never ends': (at) =>
    `${at === 0 ? '{"numTotalTestSuites": 1' : ''},\n"key${at}": {"message": "text ${at}"}`,
  'one line that never ends': (at) => `part ${at} `,
  'packages that are ever new': (at) =>
    `@a/p${at}:test: > @a/p${at}@1.0.0 test\n@a/p${at}:test: src/part.ts(${at},1): error TS2322: Type 'A${at}' is not B.\n`,
  'lines that no tool knows': (at) => `part ${at} failed with error ${at}\n`,
}

const before: Record<string, string> = {
  tap: 'TAP version 13\n',
  vitest: ' RUN  v4.0.0 /workspace\n\n⎯⎯⎯⎯⎯⎯⎯ Failed Tests 9 ⎯⎯⎯⎯⎯⎯⎯\n\n',
  pytest: '===== test session starts =====\n===== FAILURES =====\n',
}

const MB = 1_000_000

test.each(Object.keys(outputs))("a reader's memory does not grow with its input: %s", (name) => {
  const reader = new DigestReader()
  let failures = 0
  let read = 0
  const readTo = (limit: number): void => {
    while (read < limit) {
      let piece = failures === 0 ? (before[name] ?? '') : ''
      while (piece.length < 60_000) piece += outputs[name]?.(failures++) ?? ''
      reader.push(piece)
      read += piece.length
    }
  }
  readTo(3 * MB)
  const early = heapInUse()
  readTo(12 * MB)
  // A reader that kept a tenth of its input would exceed this.
  expect(heapInUse() - early).toBeLessThan(0.9 * MB)
  expect(reader.end(1).passed).toBe(false)
})

/** Bytes of reachable objects; those of the process do not count, as it keeps freed memory. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  collect()
  return process.memoryUsage().heapUsed
}
