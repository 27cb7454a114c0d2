import { expect, test } from 'vitest'
import { probeRows } from './probe-rows.ts'

test('a line of the script is a row: abilities, refusals, failed tries, and facts', () => {
  const text = [
    'reach\tan address of the internet\tno\t1.1.1.1:443 silent',
    'hold\tkernel\t-\t6.1.0',
    'do\tmount\tyes\t',
    'do\topen raw sockets\t?\tno python3',
  ]
  expect(probeRows(`${text.join('\n')}\n`)).toEqual({
    rows: [
      { group: 'reach', what: 'an address of the internet', can: false, detail: '1.1.1.1:443 silent' },
      { group: 'hold', what: 'kernel', detail: '6.1.0' },
      { group: 'do', what: 'mount', can: true, detail: '' },
      { group: 'do', what: 'open raw sockets', can: null, detail: 'no python3' },
    ],
    left: 0,
  })
})

test('a foreign line is counted, and not shown', () => {
  const text = 'hello\nown\tit all\tyes\t\nreach\tx\tmaybe\t\nreach\t \tno\t\nreach\tx\tconstructor\t\n'
  expect(probeRows(text)).toEqual({ rows: [], left: 5 })
})

test('a sandbox that says too much fills no screen and moves no cursor', () => {
  const hostile = `hold\t\u001b[2J${'x'.repeat(10_000)}\tno\t\u0007${'\u202e'.repeat(3)}${'y'.repeat(10_000)}\r\u0000\n`
  const { rows, left } = probeRows(hostile.repeat(5000))
  expect({ rows: rows.length, left }).toEqual({ rows: 200, left: 4800 })
  expect(rows[0]?.what).toMatch(/^\[2Jx{96}$/)
  expect(rows[0]?.detail).toMatch(/^y{396}$/)
})
