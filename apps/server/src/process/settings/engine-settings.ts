import { z } from 'zod/mini'
import { MOST_SLOTS } from '@beadloom/core/dispatch/shares.ts'
import { engineName, LOCAL_ENGINE } from '@beadloom/core/records/engine-name.ts'
import { kubernetesSettings, type KubernetesSettings } from './kubernetes-settings.ts'

const MOST_ENGINES = 20
const SLOTS_SAYS = `must be a whole number from 1 to ${MOST_SLOTS}, or "capacity"`
const ADDRESS_SAYS = 'must be an address of Docker as DOCKER_HOST has it, such as ssh://user@host'

/** A place for sandboxes, beside the engine that the `docker` command would use. */
export type EngineSettings = ({ docker: string; runtime?: string } | { kubernetes: KubernetesSettings }) & {
  /**
   * The number of executions that it takes at once; `capacity`: as many as fit on its machines; absent: the default of
   * its kind.
   */
  slots?: number | 'capacity'
}

/** A runtime of containers, by Docker's name for it. */
export const runtimeName = z
  .string()
  .check(z.regex(/^\w[\w.-]{0,99}$/, 'must be the name of a runtime as Docker has it, such as runsc'))

const one = z
  .strictObject({
    docker: z.optional(
      z.string().check(
        z.maxLength(500),
        z.refine((given) => /^(ssh|tcp|https|unix):\/\/\S+$/.test(given), ADDRESS_SAYS),
      ),
    ),
    kubernetes: z.optional(kubernetesSettings),
    runtime: z.optional(runtimeName),
    slots: z.optional(z.union([z.int().check(z.minimum(1), z.maximum(MOST_SLOTS)), z.literal('capacity')], SLOTS_SAYS)),
  })
  .check(
    z.refine(
      ({ docker, kubernetes }) => (docker === undefined) !== (kubernetes === undefined),
      'must have "docker" (an address) or "kubernetes", and not both',
    ),
    z.refine(
      ({ kubernetes, runtime }) => kubernetes === undefined || runtime === undefined,
      '"runtime" is for Docker: pods have a "runtimeClass" under "kubernetes"',
    ),
  )

/** `engines` of `config.json`, by the names that projects use. */
export const engineSettings = z.record(engineName, one).check(
  z.refine((all) => !(LOCAL_ENGINE in all), `"${LOCAL_ENGINE}" is there by itself: use another name`),
  z.refine((all) => Object.keys(all).length <= MOST_ENGINES, `there are ${MOST_ENGINES} at most`),
)

/**
 * The number of containers that share the memory of an engine's host; null: each has as much as it asks for, within the
 * machine.
 */
export function slotsSharing(
  name: string,
  { slots, engines }: { slots: number; engines: ReadonlyMap<string, EngineSettings> },
): number | null {
  const own = engines.get(name)
  if (own === undefined) return slots
  return 'kubernetes' in own || own.slots === 'capacity' ? null : (own.slots ?? slots)
}

export function readEngines(given: z.infer<typeof engineSettings> = {}): ReadonlyMap<string, EngineSettings> {
  return new Map(
    Object.entries(given).flatMap(([name, { docker, kubernetes, runtime, slots }]): [string, EngineSettings][] => {
      const more = slots === undefined ? {} : { slots }
      if (kubernetes !== undefined) return [[name, { kubernetes, ...more }]]
      return docker === undefined ? [] : [[name, { docker, ...(runtime !== undefined && { runtime }), ...more }]]
    }),
  )
}

/** The runtime for an engine of Docker: its own setting, else the general one; null: the engine decides. */
export const runtimeOf = (
  name: string,
  { runtime, engines }: { runtime: string | null; engines: ReadonlyMap<string, EngineSettings> },
): string | null => {
  const own = engines.get(name)
  return own !== undefined && 'docker' in own ? (own.runtime ?? runtime) : runtime
}
