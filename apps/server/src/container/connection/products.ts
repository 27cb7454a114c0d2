import type { EngineAddress } from './address.ts'

/** The product that puts a socket at such a path, and how to start it. The first match counts. */
const products: { path: RegExp; start: (part: string) => string }[] = [
  { path: /\/\.docker\/(?:run|desktop)\/docker\.sock$/, start: () => 'start Docker Desktop' },
  { path: /\/\.orbstack\/run\/docker\.sock$/, start: () => 'start OrbStack (orb start)' },
  {
    path: /colima\/([\w.-]+)\/docker\.sock$/,

    start: (profile) => `start colima (colima start${profile === 'default' ? '' : ` ${profile}`})`,
  },
  { path: /\/\.rd\/docker\.sock$/, start: () => 'start Rancher Desktop' },
  { path: /\/([\w.-]+)\/sock\/docker\.sock$/, start: (vm) => `start Lima (limactl start ${vm})` },
  { path: /\/podman\/machine\//, start: () => 'start Podman (podman machine start)' },
  {
    path: /^(?:\/var)?\/run\/podman\/podman\.sock$/,

    start: () => 'start Podman (sudo systemctl start podman.socket)',
  },
  {
    path: /\/podman\/podman\.sock$/,

    start: () => 'start Podman (systemctl --user start podman.socket)',
  },
  {
    path: /\/run\/user\/\d+\/docker\.sock$/,

    start: () => 'start Docker (systemctl --user start docker)',
  },
]

/** Advice to start an engine that does not answer, as the beginning of a sentence: "start it (…)". */
export function howToStart(address: EngineAddress): string {
  if (address.kind !== 'unix') return `start it on ${address.host}`
  for (const { path, start } of products) {
    const found = path.exec(address.path)
    if (found) return start(found[1] ?? '')
  }
  return 'start it (sudo systemctl start docker)'
}

/** The same for one that answers no more, as a sentence without its end. Only systemd restarts in the way it starts. */
export const howToRestart = (address: EngineAddress): string =>
  howToStart(address)
    .replace(/ \((?!.*systemctl).*\)$/, '')
    .replaceAll('start', 'restart')
    .replace(/^r/, 'R')
