import { z } from 'zod/mini'
import { ARGUMENT_SAYS, IMAGE_SAYS, isArgument, isImage } from '../text/setting-texts.ts'
import { canBeService, MOST_SERVICES } from './service-name.ts'

const MOST_VARIABLES = 50
const LONGEST_START_S = 600

const argument = z.refine<string>(isArgument, ARGUMENT_SAYS)
const line = z.string().check(z.minLength(1), z.maxLength(1000), argument)

/** One service, with the keys of GitHub Actions. */
const Service = z.strictObject({
  image: z.string().check(z.minLength(1), z.maxLength(300), z.refine(isImage, IMAGE_SAYS)),
  env: z.optional(
    z
      .record(
        z.string().check(z.regex(/^[A-Za-z_]\w{0,99}$/, 'must be the name of a variable')),
        z.union([z.string().check(z.maxLength(1000), argument), z.number(), z.boolean()]),
      )
      .check(
        z.refine((env) => Object.keys(env).length <= MOST_VARIABLES, `must have at most ${MOST_VARIABLES} variables`),
      ),
  ),
  /** Replaces the image's command: a line that is split into words, or the words. */
  command: z.optional(z.union([line, z.array(line).check(z.minLength(1), z.maxLength(50))])),
  /** `--health-cmd …` and its like, as workflows pass them to the engine. */
  options: z.optional(z.string().check(z.maxLength(2000), argument)),
  /** A command line that succeeds as soon as the service is ready. */
  health: z.optional(line),
  /** Accepted for other runners: here every port of a service is reachable under its name. */
  ports: z.optional(z.array(z.union([z.string().check(z.maxLength(60)), z.int()])).check(z.maxLength(50))),
  startTimeoutSeconds: z.optional(z.int().check(z.minimum(1), z.maximum(LONGEST_START_S))),
  cpus: z.optional(z.number().check(z.positive(), z.maximum(256))),
  memoryMb: z.optional(z.int().check(z.minimum(64), z.maximum(1024 * 1024))),
  processes: z.optional(z.int().check(z.minimum(16), z.maximum(32768))),
})

export const Services = z
  .record(z.string().check(z.refine(canBeService, 'must be a name that a host can have')), Service)
  .check(z.refine((all) => Object.keys(all).length <= MOST_SERVICES, `must have at most ${MOST_SERVICES} services`))
export type Services = z.infer<typeof Services>
