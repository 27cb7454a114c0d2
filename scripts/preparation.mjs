import { join } from 'node:path'
import { ensureBd, LATER } from './bd.mjs'
import { ensureBuilt } from './build.mjs'
import { ensureChromium } from './chromium.mjs'
import { ensureDependencies } from './dependencies.mjs'
import { ensureDocker } from './docker-engine.mjs'
import { ensureEmulation } from './emulation.mjs'
import { ensureGitea } from './gitea.mjs'
import { ensureHelm } from './helm.mjs'
import { ensureIp } from './ip.mjs'
import { ensureKubernetes, ensureKueue } from './kubernetes.mjs'
import { node24, root, run, say } from './run.mjs'

/**
 * The needs of suites, in the order in which they are made, each with those that it waits for. A step that installs
 * packages waits for such steps before it: the package manager serves one at a time.
 */
const steps = {
  dependencies: { after: [], make: ensureDependencies },
  bundles: { after: ['dependencies'], make: ensureBuilt },
  docker: { after: [], make: ensureDocker },
  namespaces: { after: ['docker'], make: ensureIp },
  images: { after: ['dependencies', 'namespaces'], make: ensureImages },
  chromium: { after: ['images'], make: ensureChromium },
  bd: { after: [], make: () => ensureBd() },
  gitea: { after: ['bd'], make: ensureGitea },
  kubernetes: { after: ['gitea', 'namespaces'], make: ensureKubernetes },
  emulation: { after: ['images'], make: ensureEmulation },
  helm: { after: ['bd', 'gitea', 'kubernetes'], make: ensureHelm },
  kueue: { after: ['kubernetes', 'helm'], make: ensureKueue },
  ...Object.fromEntries(
    Object.entries(LATER).map(([name, version]) => [name, { after: ['helm'], make: () => ensureBd(version) }]),
  ),
}

/**
 * Begins to make everything that the suites need, while suites without needs run. The returned function waits for one
 * suite's needs, and names the missing ones, without which some tests are skipped; it rejects if none can run.
 */
export function prepare(wanted) {
  const begun = new Map()
  const begin = (name) => {
    if (begun.has(name)) return begun.get(name)
    const { after, make } = steps[name]
    const before = after.filter((other) => wanted.includes(other) || other === 'dependencies')
    // A step before it that was not wanted or failed may still be there. If not, this step reports it.
    const made = Promise.allSettled(before.map(begin)).then(make)
    made.catch(() => {}) // the suite that needs it gets the error
    begun.set(name, made)
    return made
  }
  for (const name of Object.keys(steps)) if (wanted.includes(name)) begin(name)
  return async (needed) => {
    const lacking = []
    for (const name of needed) if ((await begin(name)) === false) lacking.push(name)
    return lacking
  }
}

/** Makes the images that nearly every container starts from; the first time this takes a minute or more. */
async function ensureImages() {
  const why = 'making the base image'
  const said = await run(node24, [join(root, 'test', 'support', 'make-images.ts')], { quiet: true, why })
  if (said.trim() !== '') say(said.trim())
}
