import { join } from 'node:path'
import { Link } from '../../link/link.ts'
import type { LinkLimits } from '../../link/link-limits.ts'
import type { Clock } from '../../process/clock.ts'

/** Where the links of sandboxes are, and their bounds. */
export type Links = {
  /** For their sockets: short, ours alone, and visible to the engine. */
  folder: string
  /** Those left out have the link's defaults. */
  limits: Partial<LinkLimits>
  clock: Clock
  /** Called with what nobody waits for: a folder that could not be removed. */
  report: (error: unknown) => void
}

/** What every name begins with. The path of a socket has little room. */
const PREFIX = 'beadloom-'

/** The same for every server that looks at this sandbox, so that a restarted one puts a new socket into the old place. */
export const folderOf = (root: string, name: string): string =>
  join(root, name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name)

export const openLink = ({ folder, clock, limits }: Links, name: string): Promise<Link> =>
  Link.open(folderOf(folder, name), clock, limits)
