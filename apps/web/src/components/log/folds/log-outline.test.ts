import { expect, test } from 'vitest'
import { callDetail } from './log-outline.tsx'

const of = (command: string | null) => callDetail({ kind: 'call', command })

test('a call is shown by its command or its file, even if its arguments were cut', () => {
  expect(of('{"command":"npm test -- --grep \\"a b\\"","timeout":3}')).toBe('npm test -- --grep "a b"')
  expect(of('{"path":"src/index.ts","old":"x"}')).toBe('src/index.ts')
  expect(of('{"command":"cat <<EOF\\nmuch text that was cu')).toBe('cat <<EOF much text that was cu')
})
test('meaningless parts are left out', () => {
  expect(of(null)).toBe('')
  expect(of('{"n":1}')).toBe('')
  expect(callDetail({ kind: 'section', command: '{"command":"x"}' })).toBe('')
})
