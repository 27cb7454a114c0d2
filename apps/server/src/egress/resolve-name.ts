import { Resolver } from 'node:dns/promises'

/** The addresses of a name, those to try first. Empty: it has none. Rejects when nobody could be asked. */
export type ResolveName = (name: string, signal: AbortSignal) => Promise<string[]>

/**
 * By DNS alone, without `/etc/hosts`: what a machine calls its own is no host outside. It uses no thread, so that a name
 * server that does not answer keeps nobody else waiting, as the system's own look-up would.
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
