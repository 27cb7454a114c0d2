import { expect, test } from 'vitest'
import { exitOf, parseNote, type SessionEnd } from './session-note.ts'

const end: SessionEnd = {
  how: 'exited',
  code: 0,
  signal: null,
  killed: false,
  memoryKills: 0,
  leftBehind: 0,
  startedAt: 1,
  finishedAt: 2,
  detail: '',
}
const fine = { code: 0, oomKilled: false, lost: false, killed: false, startedAt: 1, finishedAt: 2 }

test.each<[string, Partial<SessionEnd>, object]>([
  ['a success', {}, {}],
  ['a failure', { code: 3 }, { code: 3 }],
  ['killed by somebody in the container', { code: null, signal: 'SIGKILL' }, { code: 137, killed: true }],
  [
    'killed by the kernel because memory ran out',
    { code: null, signal: 'SIGKILL', memoryKills: 1 },
    { code: 137, oomKilled: true },
  ],
  ['failed because the kernel killed its child', { code: 1, memoryKills: 2 }, { code: 1, oomKilled: true }],
  ['fine although the kernel killed a child of it', { memoryKills: 2 }, {}],
  ['stopped by us', { how: 'stopped', code: null, signal: 'SIGTERM' }, { code: 143 }],
  ['stopped by us with SIGKILL', { how: 'stopped', code: null, signal: 'SIGKILL', killed: true }, { code: 137 }],
  ['never started', { how: 'not-started', code: 127 }, { code: 127 }],
  ['unknown', { how: 'unknown', code: null }, { code: -1, lost: true, unseen: true }],
  ['where memory cannot be seen', { code: null, signal: 'SIGKILL', memoryKills: null }, { code: 137, killed: true }],
])('%s in the words of the engine', (_, some, expected) => {
  expect(exitOf({ ...end, ...some })).toEqual({ ...fine, ...expected })
})

test('a note is read, and an invalid one is null', () => {
  expect(parseNote(JSON.stringify({ note: 'ended', end }))).toEqual({ note: 'ended', end })
  expect(parseNote('{"note":"held","bytes":5,"more":1}')).toEqual({ note: 'held', bytes: 5 })
  for (const text of ['', '{', 'null', '{"note":"new"}', '{"note":"held","bytes":-1}'])
    expect(parseNote(text)).toBeNull()
})
