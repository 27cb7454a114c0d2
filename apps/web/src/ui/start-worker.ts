/** The browser's Trusted Types; not every browser has them, nor does TypeScript's library. */
type TrustedTypes = { createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => unknown }

const own = new Set<string>()

/** The content policy lets no plain string name a script, and allows one policy for the page. */
function allow(url: string): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  const isFirst = own.size === 0
  own.add(url)
  if (!isFirst || trustedTypes === undefined) return
  trustedTypes.createPolicy('default', {
    createScriptURL: (asked) => {
      if (!own.has(asked)) throw new TypeError('not a worker of this page')
      return asked
    },
  })
}

/** @param url the result of an import with `?worker&url`; never anything else */
export function startWorker(url: string): Worker {
  allow(url)
  return new Worker(url, { type: 'module' })
}
