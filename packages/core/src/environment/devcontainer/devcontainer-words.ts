import type { Place } from '../found.ts'
import type { DevcontainerPlan } from './devcontainer-plan.ts'

const at = ({ file, line }: Place): string => (line === null ? file : `${file}:${line}`)

/** "node:24 (.devcontainer/devcontainer.json:3)"; null: the base is Beadloom's own image. */
export function devcontainerBase({ image, dockerfile, official, from }: DevcontainerPlan): string | null {
  const named = image ?? official ?? dockerfile?.path ?? null
  return named === null ? null : `${named} (${at(from)})`
}

/** The parts of an image that come from a devcontainer, in lines. */
export function devcontainerLines(plan: DevcontainerPlan): string[] {
  const { image, official, dockerfile, features, env, setup, from, file } = plan
  const context = dockerfile && (dockerfile.context === '' ? 'the root folder' : dockerfile.context)
  return [
    ...(image === null ? [] : [`image ${image} (${at(from)})`]),
    ...(official === null
      ? []
      : [`image ${official} (${at(from)}), or toolchains like its own where it cannot be pulled`]),
    ...(dockerfile === null
      ? []
      : [
          `image of ${dockerfile.path}${dockerfile.target === null ? '' : `, as far as ${dockerfile.target}`}, built from ${context} (${at(from)})`,
        ]),
    ...features.map((one) => `feature ${one.folder} (${at(one.from)})`),
    ...(Object.keys(env).length === 0 ? [] : [`variables ${Object.keys(env).join(', ')} (${file})`]),
    ...(setup === null ? [] : [`its commands run in setup (${file})`]),
  ]
}
