import { toolClaim } from '../claims.ts'
import { isObject } from '../../text/json-object.ts'
import { fieldsOf, wordOf } from '../formats/records.ts'
import type { Place, Tool, ToolClaim } from '../found.ts'
import { toolNamed, versionNamed } from '../readers/tool-names.ts'

/** The publishers of the features that everybody uses: the specification's own, and its community. */
const KNOWN = /^ghcr\.io\/(?:devcontainers|devcontainers-contrib|devcontainers-extra)\/features\/([\w-]+)(?::[\w.]+)?$/

/** Every image of ours has their content, or only a person at a terminal needs it. */
const THERE: ReadonlySet<string> = new Set(['common-utils', 'git', 'curl', 'make', 'zsh-plugins', 'sshd'])

/** They need privileges, or a socket of the host. */
const OF_AN_ENGINE = /^(?:docker-in-docker|docker-outside-of-docker|docker-from-docker|kubectl-helm-minikube|nix)$/

/** The tools that a feature also installs, by the option that asks for each, and whether it does so by default. */
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

/** The handling of a registry's feature. Its name decides; Beadloom never asks the registry. */
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
