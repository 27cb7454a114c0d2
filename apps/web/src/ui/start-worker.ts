/** What the browser's Trusted Types ask for; not every browser has them, nor does TypeScript's library. */
type TrustedTypes = { createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => unknown }

const own = new Set<string>()

/** The content policy lets no text name a script, and one policy for the page. */
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

/** @param url what the build answers to an import with `?worker&url`; never anything else */
export function startWorker(url: string): Worker {
  allow(url)
  return new Worker(url, { type: 'module' })
}
