import { Resolver } from 'node:dns/promises'

/** Looks up the addresses of a name, in the order to try. Empty: it has none. Rejects when no name server answered. */
export type ResolveName = (name: string, signal: AbortSignal) => Promise<string[]>

/**
 * Resolves by DNS alone, without `/etc/hosts`: a name of the machine's own is no host outside. It uses no thread, so a
 * name server that does not answer blocks nothing else, as the system's own look-up would.
 */
export const resolveByDns: ResolveName = async (name, signal) => {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 })
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = [four, six].flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    if (found.length === 0 && four.status === 'rejected' && !isNone(four.reason)) throw four.reason
    return found
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

const isNone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'ENODATA')
