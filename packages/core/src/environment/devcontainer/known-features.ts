import { toolClaim } from '../claims.ts'
import { isObject } from '../../text/json-object.ts'
import { fieldsOf, wordOf } from '../formats/records.ts'
import type { Place, Tool, ToolClaim } from '../found.ts'
import { toolNamed, versionNamed } from '../readers/tool-names.ts'

/** Who publishes the features that everybody uses: the specification's own, and those of its community. */
const KNOWN = /^ghcr\.io\/(?:devcontainers|devcontainers-contrib|devcontainers-extra)\/features\/([\w-]+)(?::[\w.]+)?$/

/** What they bring is in every image of ours, or is for a person at a terminal. */
const THERE: ReadonlySet<string> = new Set(['common-utils', 'git', 'curl', 'make', 'zsh-plugins', 'sshd'])

/** They need privileges, or a socket of the host. */
const OF_AN_ENGINE = /^(?:docker-in-docker|docker-outside-of-docker|docker-from-docker|kubectl-helm-minikube|nix)$/

/** What a feature installs along with its tool, by the option that asks for it, and whether it does so unasked. */
const ALONG: Partial<Readonly<Record<Tool, readonly { option: string; tool: Tool; usual: boolean }[]>>> = {
  java: [
    { option: 'installMaven', tool: 'maven', usual: false },
    { option: 'installGradle', tool: 'gradle', usual: false },
  ],
  php: [{ option: 'installComposer', tool: 'composer', usual: true }],
}

export type KnownFeature =
  | { is: 'tools'; tools: ToolClaim[] }
  | { is: 'there' }
  | { is: 'engine' }
  | { is: 'elsewhere' }

/** What is done for a feature of a registry. It is told by its name; the registry is never asked. */
export function knownFeature(id: string, options: unknown, from: Place): KnownFeature {
  const name = KNOWN.exec(id)?.[1]
  if (name === undefined) return { is: 'elsewhere' }
  if (THERE.has(name)) return { is: 'there' }
  if (OF_AN_ENGINE.test(name)) return { is: 'engine' }
  const tool = toolNamed(name)
  if (tool === null) return { is: 'elsewhere' }
  const version = wordOf(isObject(options) ? options['version'] : options)
  const along = (ALONG[tool] ?? []).filter(({ option, usual }) => isOn(fieldsOf(options)[option], usual))
  return {
    is: 'tools',
    tools: [
      ...toolClaim(tool, versionNamed(tool, version), from),
      ...along.flatMap((one) => toolClaim(one.tool, null, from)),
    ],
  }
}

const isOn = (value: unknown, usual: boolean): boolean =>
  value === undefined ? usual : value === true || value === 'true'
