// oxlint-disable-next-line import/default -- the build's answer to the question, not the module's export
import workerUrl from './syntax-worker.ts?worker&url'

/** What the browser's Trusted Types ask for; not every browser has them, nor does TypeScript's library. */
type TrustedTypes = { createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => unknown }

let allowed = false

/** The content policy lets no text name a script. This one is ours: its address was written by the build. */
function allowWorker(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  if (allowed || trustedTypes === undefined) return
  trustedTypes.createPolicy('default', {
    createScriptURL: (url) => {
      if (url !== workerUrl) throw new TypeError('no script but the worker for colours')
      return url
    },
  })
  allowed = true
}

export function startWorker(): Worker {
  allowWorker()
  return new Worker(workerUrl, { type: 'module' })
}
