import { describe, expect, test } from 'vitest'
import { parseBeadId } from '../records/ids.ts'
import { brakeOf, type Ending } from './brake.ts'

let at = 100
const ended = (bead: string, own: Partial<Ending> = {}): Ending => ({
  bead: parseBeadId(bead),
  state: 'FAILED',
  reason: 'infra_error',
  failureKind: 'setup_failed',
  endedAt: at++,
  ...own,
})
const newestFirst = (...endings: Ending[]) => endings.toReversed()

describe('autopilot', () => {
  test('pauses after three beads in a row that ended in the same way, and names them', () => {
    const two = [ended('a'), ended('b')]
    expect(brakeOf(newestFirst(...two), 0)).toBe(null)
    expect(brakeOf(newestFirst(...two, ended('c')), 0)).toMatchObject({
      code: 'autopilot_paused',
      text: expect.stringContaining('the last 3 beads ended alike (setup failed)'),
      beads: ['c', 'b', 'a'],
    })
  })

  test.each<[string, Ending[]]>([
    ['nothing has ended', []],
    ['one of them was done', [ended('a'), ended('b', { state: 'COMPLETED', reason: null }), ended('c'), ended('d')]],
    ['the newest was done', [ended('a'), ended('b'), ended('c'), ended('d', { state: 'COMPLETED', reason: null })]],
    ['one ended in another way', [ended('a'), ended('b', { failureKind: 'verification' }), ended('c'), ended('d')]],
    ['one asked a question', [ended('a'), ended('b'), ended('c', { state: 'BLOCKED', reason: null }), ended('d')]],
    ['it is one bead, tried again and again', [ended('a'), ended('a'), ended('a'), ended('a')]],
  ])('does not pause if %s', (_, endings) => {
    expect(brakeOf(newestFirst(...endings), 0)).toBe(null)
  })

  test('skips beads that a person stopped, and counts anew after a person restarts it', () => {
    const stopped = ended('x', { state: 'CANCELLED', reason: null })
    const endings = [ended('a'), ended('b'), stopped, ended('c')]
    expect(brakeOf(newestFirst(...endings), 0)?.beads).toEqual(['c', 'b', 'a'])
    expect(brakeOf(newestFirst(...endings), endings[0]!.endedAt)).toBe(null)
  })

  test('tells one time limit from the other', () => {
    const silent = (bead: string) => ended(bead, { state: 'TIMEOUT', reason: 'silence' })
    expect(brakeOf(newestFirst(silent('a'), silent('b'), silent('c')), 0)?.text).toContain('(no output)')
    const late = ended('c', { state: 'TIMEOUT', reason: 'wall_clock' })
    expect(brakeOf(newestFirst(silent('a'), silent('b'), late), 0)).toBe(null)
  })
})
