import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { LinkDoor } from '../../link/link-door.ts'
import type { LinkBounds } from '../../link/link-bounds.ts'
import { Requests } from '../../link/requests.ts'
import { SandboxLink } from '../../link/sandbox-link.ts'
import type { Clock } from '../../process/clock.ts'
import { patiently } from '../../process/patiently.ts'
import { limited } from '../../process/within.ts'
import { magicOf } from './session-name.ts'
import { SupervisorOrders } from './supervisor-orders.ts'

/** The folders of sandboxes' links, and their bounds. */
export type Links = {
  /** For their sockets: a short path, ours alone, and visible to the engine. */
  folder: string
  /** For copies of sessions' output. */
  copies: string
  /** Absent ones have the link's defaults. */
  bounds: Partial<LinkBounds>
  clock: Clock
  /** Called with an error that nothing waits for: a folder that could not be removed. */
  report: (error: unknown) => void
}

/** The link of one sandbox, its requests, and its way to this server. */
export type OpenLink = {
  link: SandboxLink
  orders: SupervisorOrders
  requests: Requests
  /** Leaves everything to the next server. */
  letGo(): void
}

/** The longest wait of a link until another file may be opened. */
const FREE_FILE_MS = 60_000

/** The beginning of every name. The path of a socket has little room. */
const PREFIX = 'beadloom-'

/** The same for every server with this sandbox, so a restarted one puts a new socket into the old place. */
export const folderOf = (root: string, name: string): string =>
  join(root, name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name)

export async function openLink({ folder, clock, bounds }: Links, name: string): Promise<OpenLink> {
  const requests = new Requests(clock, bounds)
  const link = new SandboxLink({
    magic: Buffer.from(magicOf(name), 'hex'),
    clock,
    connected: (connection) => requests.take(connection),
    reachesOut: (connection) => requests.reachOut(connection),
  })
  // An agent may be at work in there, so a server without a free file waits for one.
  const door = await limited({ clock, ms: FREE_FILE_MS }, (late) =>
    patiently(clock, late, () => LinkDoor.open(folderOf(folder, name), (carrier) => link.carry(carrier))),
  )
  const letGo = () => {
    door.close()
    requests.close()
    link.close()
  }
  return { link, orders: new SupervisorOrders(link, clock), requests, letGo }
}

export const copiesOf = ({ copies }: Links, name: string): string => folderOf(copies, name)

/** A copy that is being read is still written to. */
const RETRIES = 10

/** Removes the socket of a sandbox that is gone, and the copies of its output. */
export async function removeLink(links: Links, name: string): Promise<void> {
  for (const folder of [folderOf(links.folder, name), copiesOf(links, name)])
    await rm(folder, { recursive: true, force: true, maxRetries: RETRIES })
}
