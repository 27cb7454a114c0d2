import type { Tool, ToolClaim } from '../found.ts'
import { chooseToolchains } from '../toolchains/choose-toolchains.ts'
import { goToDownload } from '../toolchains/other-offers.ts'
import type { ToolchainPlan } from '../toolchains/offer.ts'

/*
 * Toolchains for an image that is not ours. Debian's packages fit only one release of Debian, and we do not know what
 * such an image is made of. Programs that need nothing but glibc are installed in an image of ours, the kit, and copied
 * from there.
 */

const JAVASCRIPT: ReadonlySet<Tool> = new Set<Tool>(['node', 'npm', 'pnpm', 'yarn', 'bun', 'deno'])

export const canBeCopied = ({ tool }: Pick<ToolClaim, 'tool'>): boolean => JAVASCRIPT.has(tool) || tool === 'go'

export function kitFor(claims: readonly ToolClaim[]): ToolchainPlan {
  const plan = chooseToolchains(claims)
  const go = plan.toolchains.find(({ tool }) => tool === 'go')
  const isDebians = go !== undefined && !plan.installs.some(({ by }) => by === 'go')
  const installs = isDebians ? [...plan.installs, { by: 'go', what: goToDownload(go.version) } as const] : plan.installs
  return { ...plan, official: null, installs }
}

const NPM = '/opt/toolchains/npm'

/** `ARG BASE` is the image that gets them. All paths are our own. */
export function kitDockerfile(claims: readonly ToolClaim[]): string {
  const { installs } = kitFor(claims)
  const fromNpm = installs.some(({ by }) => by === 'node' || by === 'npm' || by === 'deno' || by === 'bun')
  const copied = (path: string): string => `COPY --from=kit ${path} ${path}`
  return [
    'ARG KIT',
    'ARG BASE',
    'FROM ${KIT} AS kit',
    'FROM ${BASE}',
    'USER root',
    ...(claims.some(({ tool }) => JAVASCRIPT.has(tool))
      ? [
          copied('/usr/local/bin/node'),
          copied('/usr/local/lib/node_modules/npm'),
          'RUN for one in npm npx; do ln -sf "../lib/node_modules/npm/bin/$one-cli.js" "/usr/local/bin/$one"; done',
        ]
      : []),
    ...(fromNpm
      ? [
          copied(NPM),
          `RUN for one in ${NPM}/node_modules/.bin/* ${NPM}/node_modules/@deno/*/deno ${NPM}/node_modules/@oven/*/bin/bun; do [ ! -f "$one" ] || ln -sf "$one" /usr/local/bin/; done`,
        ]
      : []),
    ...(claims.some(({ tool }) => tool === 'go')
      ? [copied('/usr/local/go'), 'RUN for one in go gofmt; do ln -sf "../go/bin/$one" "/usr/local/bin/$one"; done']
      : []),
    '',
  ].join('\n')
}
