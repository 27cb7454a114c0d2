import { expect, test } from 'vitest'
import { paintOf } from '../terminal/paint.ts'
import { probeText } from './probe-view.ts'

test("the probe is three tables, with a sandbox's abilities marked", () => {
  const rows = [
    { group: 'do', what: 'mount', can: true, detail: '' },
    { group: 'reach', what: 'names of the internet', can: false, detail: 'not known' },
    { group: 'hold', what: 'kernel', detail: '6.1.0' },
    { group: 'hold', what: 'raw sockets', can: null, detail: 'no python3' },
  ] as const
  expect(probeText({ rows: [...rows], left: 0 }, 80, paintOf(false))).toBe(
    [
      'It can reach\n  no  names of the internet  not known',
      'It holds\n  -  kernel       6.1.0\n  ?  raw sockets  no python3',
      'It can do\n  yes  mount',
    ].join('\n\n'),
  )
})

test('omitted lines are mentioned', () => {
  expect(probeText({ rows: [], left: 3 }, 80, paintOf(false))).toContain('3 more lines')
})
