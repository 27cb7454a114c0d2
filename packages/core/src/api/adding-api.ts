/** A project that is being added. `percent` and `bytes` are of what is done now; null where that has none. */
export type AddingView = {
  project: string
  /** Without user and password. */
  source: string
  /** Milliseconds UTC. */
  since: number
  doing: string
  percent: number | null
  bytes: number | null
}

/** "receiving objects: 42%, 210 MiB". */
export function addingText({ doing, percent, bytes }: Pick<AddingView, 'doing' | 'percent' | 'bytes'>): string {
  const far = [...(percent === null ? [] : [`${percent}%`]), ...(bytes === null ? [] : [sizeText(bytes)])]
  return far.length === 0 ? doing : `${doing}: ${far.join(', ')}`
}

/** Whole units: it moves while it is read. */
const sizeText = (bytes: number): string =>
  bytes < 1024 ** 2 ? `${Math.ceil(bytes / 1024)} KiB` : `${Math.round(bytes / 1024 ** 2)} MiB`

/** An address without its user and password. */
export const withoutLogin = (source: string): string => source.replace(/^(\w+:\/\/)[^/\s@]+@/, '$1')
