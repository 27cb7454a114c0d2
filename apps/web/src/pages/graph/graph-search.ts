export type GraphSearch = {
  /** Shows only the graph around this bead. */
  bead?: string | undefined
  /** Beads whose other neighbours are drawn, too. */
  open?: string | undefined
  ended?: true | undefined
  chain?: true | undefined
  /** Shows as many beads as can be drawn, instead of those that matter most. */
  all?: true | undefined
}

const MOST_CHARACTERS = 2_000
const text = (value: unknown): string | undefined =>
  (typeof value === 'string' || typeof value === 'number') && `${value}` !== ''
    ? `${value}`.slice(0, MOST_CHARACTERS)
    : undefined

export const parseGraphSearch = (search: Record<string, unknown>): GraphSearch => ({
  bead: text(search['bead']),
  open: text(search['open']),
  ended: search['ended'] === true ? true : undefined,
  chain: search['chain'] === true ? true : undefined,
  all: search['all'] === true ? true : undefined,
})

export const openedOf = ({ open }: GraphSearch): ReadonlySet<string> => new Set(open?.split(',').filter(Boolean))

/** Also shows the neighbours of one more bead. */
export const withOpened = (search: GraphSearch, id: string): GraphSearch => ({
  ...search,
  open: [...new Set([...openedOf(search), id])].join(','),
})
