/** A project that is being added. `percent` and `bytes` belong to the current step; null if it has none. */
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

/** In whole units: the number changes while somebody reads it. */
const sizeText = (bytes: number): string =>
  bytes < 1024 ** 2 ? `${Math.ceil(bytes / 1024)} KiB` : `${Math.round(bytes / 1024 ** 2)} MiB`

/** An address without its user and password. */
export const withoutLogin = (source: string): string => source.replace(/^(\w+:\/\/)[^/\s@]+@/, '$1')
