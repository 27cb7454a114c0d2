import { expect, test } from 'vitest'
import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import { sampleCard } from '@beadloom/core/testing/sample-views.ts'
import { parseBoardSearch } from '@beadloom/core/board/board-search.ts'
import { shownCards } from '@beadloom/core/board/shown-cards.ts'
import { beadList, viewList } from './bead-list.ts'
import { noView } from './saved-view.ts'
import { textWidth } from '../terminal/terminal-text.ts'

const card = (id: string, over: Partial<BeadCard> = {}) => sampleCard({ id, title: `Title of ${id}`, ...over })
const waits = (text: string): BeadCard['reason'] => ({ code: 'no_docker', text })

test('on a terminal of 80 columns no line is longer, and the whole reason is below the title', () => {
  const reason = 'its agent was blocked: answer its reason in the description, then run it again, or close it'
  const text = beadList(
    [
      card('bl-1', { title: 'A very long title '.repeat(30), reason: waits(reason) }),
      card('bl-2', { title: '日本語 '.repeat(40) }),
    ],
    80,
  )
  const lines = text.split('\n')
  for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(80)
  expect(text.replace(/\s+/g, ' ')).toContain(`↳ ${reason}`)
  expect(lines[0]).toMatch(/^BEAD +PRI +STATUS +TITLE$/)
})

test('in a pipe a bead is one line, uncut', () => {
  const title = 'Long '.repeat(60).trim()
  const lines = beadList([card('bl-1', { title, reason: waits('waits for bl-2') }), card('bl-2')], Infinity).split('\n')
  expect(lines).toHaveLength(3)
  expect(lines[1]).toMatch(new RegExp(`^bl-1 +P2 +open +${title} +waits for bl-2$`))
})

test('done beads come last, and many of them are only counted', () => {
  const done = Array.from({ length: 30 }, (_, at) => card(`old-${at}`, { status: 'done' }))
  expect(beadList([...done.slice(0, 2), card('bl-1')], 80).split('\n')[1]).toMatch(/^bl-1/)
  const many = beadList([...done, card('bl-1')], 80)
  expect(many.split('\n')).toHaveLength(3)
  expect(many).toContain('… and 30 done (beadloom beads --status done)')
  // If they are asked for, all are shown.
  expect(beadList(done, 80).split('\n')).toHaveLength(31)
})

test('a title cannot control the terminal', () => {
  const hostile = card('bl-1', { title: 'a\u001b[2J\nb\u009b1A', reason: waits('c\u001b]0;t\u0007\nd') })
  // oxlint-disable-next-line no-control-regex
  for (const columns of [80, Infinity]) expect(beadList([hostile], columns)).not.toMatch(/[\u001b\u0080-\u009f]/)
})

test('follow-ups are below the bead that they are about, and count with it', () => {
  const cards = [
    card('bl-f', { followUpOf: 'bl-1' }),
    card('bl-1', { status: 'in_progress', failed: true }),
    card('bl-2'),
    card('bl-3', { status: 'done' }),
    card('bl-g', { followUpOf: 'bl-3' }),
    card('bl-h', { followUpOf: 'elsewhere' }),
  ]
  const rows = beadList(cards, Infinity).split('\n').slice(1)
  expect(rows.map((row) => row.split(' ')[0])).toEqual(['bl-1', 'bl-f', 'bl-2', 'bl-g', 'bl-h', 'bl-3'])
  expect(rows[1]).toContain('↳ Title of bl-f')
  expect(rows[3]).not.toContain('↳')
})

const inView = (cards: BeadCard[], search: Record<string, string>) =>
  shownCards({ cards, executions: new Map(), positions: new Map() }, parseBoardSearch(search))

test('a saved view has its groups below their names on a terminal, and no names in a pipe', () => {
  const cards = [
    card('bl-1', { priority: 3, reason: waits('waits for bl-2') }),
    card('bl-2', { priority: 0 }),
    card('bl-f', { followUpOf: 'bl-2', priority: 4 }),
  ]
  const groups = inView(cards, { group: 'priority' })
  const lines = viewList(groups, 80).split('\n')
  expect(lines.map((line) => line.trim().split(/ {2,}/)[0])).toEqual([
    'BEAD',
    '── P0 critical (1)',
    'bl-2',
    'bl-f',
    '── P3 low (1)',
    'bl-1',
    '↳ waits for bl-2',
  ])
  expect(viewList(groups, Infinity).split('\n').slice(1)).toEqual([
    expect.stringMatching(/^bl-2 /),
    expect.stringMatching(/^bl-f .*↳ Title of bl-f/),
    expect.stringMatching(/^bl-1 /),
  ])
})

test('the name of a group cannot control the terminal', () => {
  const groups = inView([card('bl-1', { labels: ['a\u001b[2J\nb'.repeat(40)] })], { group: 'label' })
  const text = viewList(groups, 60)
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u001b\u0080-\u009f]/)
  for (const line of text.split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(60)
})

test('an unknown view name is answered with the known ones, the closest first', () => {
  const view = (name: string, forAll = false) => ({ id: 1, name, search: '', isDefault: false, forAll })
  expect(noView('p', 'Urgnt', [view('Urgent'), view('Mine\u001b[2J', true)])).toBe(
    'there is no saved view "Urgnt" in p. Did you mean "Urgent"? There are: "Urgent", "Mine" (all projects).',
  )
  expect(noView('p', 'x', [])).toBe(
    'there is no saved view "x" in p, nor any other. Save one on the board: press f and v there.',
  )
})
