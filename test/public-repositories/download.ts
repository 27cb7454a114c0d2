import Docker from 'dockerode'

/** Fewer bytes in a second are only keep-alive, not a download. */
const LEAST_BYTES = 20_000
const EACH_MS = 1_000

const phases = ['image', 'setup', 'checks'] as const
type Phase = (typeof phases)[number]

const phaseOf = (doing: string): Phase =>
  /running setup|preparing the checkout/.test(doing) ? 'setup' : /running the checks/.test(doing) ? 'checks' : 'image'

export type Spent = Record<Phase, number> & {
  /** The seconds of `setup` in which something came over the network. */
  received: number
}

/**
 * Tells where a proof's seconds went. An image with toolchains counts as download as a whole, and so does each second
 * of `setup` in which its container received something.
 *
 * @param doing the proof's current step; null: it has ended
 */
export async function watchDownloads(instance: string, doing: () => Promise<string | null>): Promise<Spent> {
  const docker = new Docker()
  const spent: Spent = { image: 0, setup: 0, checks: 0, received: 0 }
  const known = new Map<string, number>()
  let before = performance.now()
  for (;;) {
    const now = await doing()
    const at = performance.now()
    const seconds = (at - before) / 1000
    before = at
    if (now === null) return spent
    const phase = phaseOf(now)
    spent[phase] += seconds
    if (phase === 'setup' && (await hasReceived(docker, instance, known))) spent.received += seconds
    await new Promise((resolve) => setTimeout(resolve, EACH_MS))
  }
}

async function hasReceived(docker: Docker, instance: string, known: Map<string, number>): Promise<boolean> {
  const running = await docker.listContainers({ filters: { label: [`beadloom.instance=${instance}`] } })
  const received = await Promise.all(
    running.map(async ({ Id }) => {
      const bytes = await bytesOf(docker, Id)
      const more = bytes - (known.get(Id) ?? 0)
      known.set(Id, bytes)
      return more
    }),
  )
  return received.some((bytes) => bytes > LEAST_BYTES)
}

/** 0 if the container has just ended. */
async function bytesOf(docker: Docker, id: string): Promise<number> {
  try {
    const { networks = {} } = await docker.getContainer(id).stats({ stream: false, 'one-shot': true })
    return Object.values(networks).reduce((sum, { rx_bytes }) => sum + rx_bytes, 0)
  } catch {
    return 0
  }
}
