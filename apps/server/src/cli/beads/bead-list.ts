import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import { isInside } from '@beadloom/core/bead/inside.ts'
import type { BoardCard } from '@beadloom/core/board/board-card.ts'
import type { CardGroup } from '@beadloom/core/board/board-groups.ts'
import { table, type Cell } from '../terminal/output.ts'
import { paintOf, toneOf, type Paint } from '../terminal/paint.ts'
import { cutText, oneLiner, padText, textWidth, wrapText } from '../terminal/terminal-text.ts'

/** An old tracker has thousands of done beads; more than these are counted instead of shown. */
const DONE_SHOWN = 20
const GAP = 2
const LEAST_TITLE_COLUMNS = 20

/** Beads for people: those not done come first, each with the reason why it is not running. */
export function beadList(cards: readonly BeadCard[], columns: number, paint: Paint = paintOf(false)): string {
  const { rows, below } = nested(cards)
  const done = rows.filter(({ status }) => status === 'done')
  const folded = done.length > DONE_SHOWN && done.length < rows.length
  const shown = [...rows.filter(({ status }) => status !== 'done'), ...(folded ? [] : done)].flatMap((card) => [
    card,
    ...(below.get(card.id) ?? []),
  ])
  const text = columns === Infinity ? wideList(shown, paint) : narrowList([{ name: '', cards: shown }], columns, paint)
  return folded ? `${text}\n… and ${done.length} done (beadloom beads --status done)` : text
}

/** Beads as a saved view shows them: in its groups, each with its name for people, and in its order. */
export function viewList(groups: readonly CardGroup[], columns: number, paint: Paint = paintOf(false)): string {
  const named = groups.map(({ name, cards }) => ({
    name: name === '' ? '' : `${name} (${cards.length})`,
    cards: cards.flatMap(rowsOf),
  }))
  return columns === Infinity
    ? wideList(
        named.flatMap(({ cards }) => cards),
        paint,
      )
    : narrowList(named, columns, paint)
}

/** A card, and below it the follow-ups inside it. */
export const rowsOf = ({ card, followUps = [] }: BoardCard): BeadCard[] => [
  card,
  ...followUps.map(({ card: inside }) => ({ ...inside, title: `↳ ${inside.title}` })),
]

/** Moves follow-ups below the bead that they are about, if it is listed. */
function nested(cards: readonly BeadCard[]): { rows: BeadCard[]; below: Map<string, BeadCard[]> } {
  const byId = new Map(cards.map((card) => [card.id, card]))
  const below = new Map<string, BeadCard[]>()
  const rows = cards.filter((card) => {
    const origin = card.followUpOf === undefined ? undefined : byId.get(card.followUpOf)
    if (origin === undefined || !isInside(card, origin)) return true
    below.set(origin.id, [...(below.get(origin.id) ?? []), { ...card, title: `↳ ${card.title}` }])
    return false
  })
  return { rows, below }
}

/** The word for a bead's status. A failed bead stays in progress, but nobody should think that it is worked on. */
export const statusWord = ({ status, failed }: Pick<BeadCard, 'status' | 'failed'>): string =>
  failed ? 'failed' : status

const cellsOf = (card: BeadCard): string[] => [card.id, `P${card.priority}`, statusWord(card)]

/** One line for each bead, nothing cut, for `grep` and the like. */
function wideList(cards: readonly BeadCard[], paint: Paint): string {
  const rows = cards.map((card): Cell[] => {
    const [id = '', priority = '', status = ''] = cellsOf(card)
    return [
      id,
      priority,
      { text: status, paint: paint[toneOf[status] ?? 'plain'] },
      card.title,
      { text: card.reason?.text ?? '', paint: paint.dim },
    ]
  })
  return table([['BEAD', 'PRI', 'STATUS', 'TITLE', 'WHY'], ...rows])
}

type Part = { name: string; cards: readonly BeadCard[] }

/** The reason goes below the title, so that both can be read on a terminal of 80 columns. */
function narrowList(parts: readonly Part[], columns: number, paint: Paint): string {
  const cards = parts.flatMap((part) => part.cards)
  const rows = [['BEAD', 'PRI', 'STATUS'], ...cards.map(cellsOf)].map((row) => row.map(oneLiner))
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map((row) => textWidth(row[at] ?? ''))))
  const left = widths.reduce((sum, width) => sum + width + GAP, 0)
  const room = Math.max(LEAST_TITLE_COLUMNS, columns - left)
  const line = (at: number, title: string): string => {
    const [id = '', priority = '', status = ''] = (rows[at] ?? []).map((cell, column) =>
      padText(cell, (widths[column] ?? 0) + GAP),
    )
    const tone = at === 0 ? paint.plain : paint[toneOf[status.trim()] ?? 'plain']
    return `${id}${priority}${tone(status)}${cutText(title, room)}`.trimEnd()
  }
  let at = 0
  const linesOf = ({ title, reason }: BeadCard) => [
    line(++at, oneLiner(title)),
    ...(reason
      ? wrapText(`↳ ${oneLiner(reason.text)}`, room).map((text) => `${' '.repeat(left)}${paint.dim(text)}`)
      : []),
  ]
  return [
    line(0, 'TITLE'),
    ...parts.flatMap(({ name, cards: its }) => [
      ...(name === '' ? [] : [paint.dim(cutText(`── ${oneLiner(name)}`, columns))]),
      ...its.flatMap(linesOf),
    ]),
  ].join('\n')
}
