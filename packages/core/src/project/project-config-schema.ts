import { IDENTITY } from '../records/identity.ts'
import { onBlocked } from '../records/pause.ts'
import { z } from 'zod/mini'
import { agentNames } from '../agents/agent-names.ts'
import { IGNORED_SAYS, isIgnoreRule, LONGEST_IGNORED, MOST_IGNORED } from '../bead/ignored.ts'
import { budgetShape, onLimits } from '../budget/budget-settings.ts'
import { LONGEST_RULE, MOST_RULES } from '../egress/allow-rule.ts'
import { MOST_SLOTS, MOST_WEIGHT } from '../dispatch/shares.ts'
import { stepTypes } from '../digest/digest-tool.ts'
import { tools } from '../environment/found.ts'
import { FreshStartsInput } from '../execution/fresh-starts/fresh-starts.ts'
import { RetryInput } from '../records/retry.ts'
import { planningApproval, planningCheckpoints, planningWhen } from '../records/planning.ts'
import { originalTestsModes } from '../verdict/original-tests.ts'
import { elsewhereModes } from '../elsewhere/elsewhere-words.ts'
import { secretModes } from '../secrets/secret-words.ts'
import { Services } from '../services/service-schema.ts'
import {
  ARGUMENT_SAYS,
  IMAGE_SAYS,
  isArgument,
  isImage,
  isFolderPath,
  isRepositoryPath,
  REPOSITORY_PATH_SAYS,
} from '../text/setting-texts.ts'
import { engineName } from '../records/engine-name.ts'
import { isVariable, LONGEST_VALUE, MOST_SECRETS, MOST_VARIABLES, VARIABLE_SAYS } from './variables.ts'

/*
 * `beadloom.json` in the project's repository, read from the base branch only. Every key is optional; unknown keys
 * and wrong types are refused with all problems named at once. Durations carry their unit in the name.
 */

const seconds = z.int().check(z.positive(), z.maximum(7 * 24 * 3600))
const argument = z.refine<string>(isArgument, ARGUMENT_SAYS)
const repositoryPath = z.string().check(z.minLength(1), z.maxLength(300), z.refine(isFolderPath, REPOSITORY_PATH_SAYS))
const commandLine = z.string().check(z.minLength(1), z.maxLength(4000), argument)

const identity = z
  .string()
  .check(z.maxLength(400), z.regex(IDENTITY, 'must be a name and an address, as in "Ada Lovelace <ada@example.org>"'))

export const ProjectConfig = z.strictObject({
  $schema: z.optional(z.string()),
  /** Display name; default: the project id. */
  name: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
  techStack: z.optional(
    z.array(z.string().check(z.minLength(1), z.maxLength(60))).check(z.minLength(1), z.maxLength(20)),
  ),
  /** Base image of the project's containers, or `dockerfile`, a file of the repository that makes it. Not both. */
  image: z.optional(z.string().check(z.minLength(1), z.maxLength(300), z.refine(isImage, IMAGE_SAYS))),
  dockerfile: z.optional(
    z.string().check(z.minLength(1), z.maxLength(300), z.refine(isRepositoryPath, REPOSITORY_PATH_SAYS)),
  ),
  /**
   * Toolchains of Beadloom's own image, by name, with a version or a range of them; they override the repository's files.
   * `false`: it is not installed. Not together with `image` or `dockerfile`.
   */
  toolchains: z.optional(
    z.partialRecord(
      z.enum(tools),
      z.union([
        z.string().check(z.minLength(1), z.maxLength(80), z.regex(/^[\w.*^~<>=!|,+\-/@: ]+$/)),
        z.literal(false),
      ]),
    ),
  ),
  /** The devcontainer that counts if there are several, or `false`: none does. */
  devcontainer: z.optional(
    z.union([
      z.string().check(z.minLength(1), z.maxLength(300), z.refine(isRepositoryPath, REPOSITORY_PATH_SAYS)),
      z.literal(false),
    ]),
  ),
  /** The engine of its containers, by its name on the server. */
  engine: z.optional(engineName),
  /** Prepares dependencies, once per lock file, with the network on. `null`: nothing to prepare. */
  setup: z.optional(z.nullable(commandLine)),
  /** Variables of setup, checks and agents. */
  env: z.optional(
    z
      .record(
        z.string().check(z.refine(isVariable, VARIABLE_SAYS)),
        z.union([z.string().check(z.maxLength(LONGEST_VALUE), argument), z.number(), z.boolean()]),
      )
      .check(
        z.refine((env) => Object.keys(env).length <= MOST_VARIABLES, `must have at most ${MOST_VARIABLES} variables`),
      ),
  ),
  /** Variables that only setup gets; the server keeps their values. */
  secrets: z.optional(z.array(z.string().check(z.refine(isVariable, VARIABLE_SAYS))).check(z.maxLength(MOST_SECRETS))),
  /** Services beside agents and checks, by the host name under which they are reached. */
  services: z.optional(Services),
  /** The command that decides whether work is good. */
  test: z.optional(commandLine),
  /**
   * The checks that decide whether work is good, in this order; default: `test` alone, or the detected checks. Empty:
   * nothing is checked. A `judge` has a `prompt`, every other a `command`.
   */
  verify: z.optional(
    z
      .array(
        z.strictObject({
          type: z.enum([...stepTypes, 'judge']),
          name: z.optional(z.string().check(z.minLength(1), z.maxLength(60))),
          command: z.optional(commandLine),
          prompt: z.optional(z.string().check(z.minLength(1), z.maxLength(4000), z.regex(/^$|\S/, 'is blank'))),
          model: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
          required: z.optional(z.boolean()),
          /**
           * The folder in which the command runs; `paths` are the files or folders that a change has to touch for it to
           * run.
           */
          folder: z.optional(repositoryPath),
          paths: z.optional(z.array(repositoryPath).check(z.minLength(1), z.maxLength(50))),
          timeoutSeconds: z.optional(seconds),
        }),
      )
      .check(z.maxLength(40)),
  ),
  /** Retries of an execution after its container, Docker, the agent or its model failed. */
  retry: z.optional(RetryInput),
  /** Fresh starts of the built-in agent within its session, after it has failed. */
  freshStarts: z.optional(FreshStartsInput),
  agent: z.optional(z.enum(agentNames)),
  /** The command line of the `command` agent; the prompt comes on standard input. */
  command: z.optional(commandLine),
  /** For an agent that Beadloom installs (`claude`): a version other than the one it was tested with. */
  agentVersion: z.optional(z.string().check(z.regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}(?:-[\w.]{1,40})?$/))),
  /** Extra arguments for an agent that Beadloom installs, passed as they are: no shell reads them. */
  agentArguments: z.optional(
    z.array(z.string().check(z.minLength(1), z.maxLength(1000), argument)).check(z.maxLength(50)),
  ),
  model: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  /** With the model `scripted`: the name of the scenario that it replays. */
  scenario: z.optional(z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,62}$/))),
  /** `allow`: hosts that agents, checks and `setup` reach through the server's proxy. */
  network: z.optional(
    z.union([
      z.enum(['none', 'bridge']),
      z.strictObject({
        allow: z.array(z.string().check(z.minLength(1), z.maxLength(LONGEST_RULE))).check(z.maxLength(MOST_RULES)),
      }),
    ]),
  ),
  baseBranch: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  workBranch: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  /** `squash`: a bead's work becomes one commit on the work branch; `keep`: its agent's own commits stay. */
  commits: z.optional(z.enum(['keep', 'squash'])),
  author: z.optional(identity),
  committer: z.optional(identity),
  /** `true`: every ready bead is queued automatically; `false`: a person queues beads. */
  autopilot: z.optional(z.boolean()),
  /** The number of sandboxes that wait for the next executions; 0: none. */
  warm: z.optional(z.int().check(z.minimum(0), z.maximum(8))),
  /** The project's share of the slots of its engine. `limit`: the most slots at once. */
  slots: z.optional(
    z.strictObject({
      limit: z.optional(z.int().check(z.minimum(1), z.maximum(MOST_SLOTS))),
      weight: z.optional(z.int().check(z.minimum(1), z.maximum(MOST_WEIGHT))),
    }),
  ),
  limits: z.optional(
    z.strictObject({
      cpus: z.optional(z.number().check(z.positive(), z.maximum(256))),
      memoryMb: z.optional(z.int().check(z.minimum(64), z.maximum(1024 * 1024))),
      processes: z.optional(z.int().check(z.minimum(16), z.maximum(32768))),
      executionTimeoutSeconds: z.optional(seconds),
      inactivityTimeoutSeconds: z.optional(seconds),
      setupTimeoutSeconds: z.optional(seconds),
      testTimeoutSeconds: z.optional(seconds),
      maxSteps: z.optional(z.int().check(z.positive(), z.maximum(1000))),
      ...budgetShape('beadloom.json'),
      warnAtPercent: z.optional(z.int().check(z.minimum(1), z.maximum(100))),
      answerTimeoutSeconds: z.optional(seconds),
      pauseSeconds: z.optional(seconds),
      maxSessions: z.optional(z.int().check(z.minimum(1), z.maximum(100))),
    }),
  ),
  /** The reaction to a reached limit of tokens or money. */
  onLimit: z.optional(z.enum(onLimits)),
  /** The reaction to an agent that ends its turn with a question. */
  onBlocked: z.optional(z.enum(onBlocked)),
  /** The reviewer, if its agent or model is not the author's; fields that are left out are the author's. */
  review: z.optional(
    z.strictObject({
      agent: z.optional(z.enum(agentNames)),
      command: z.optional(commandLine),
      model: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
    }),
  ),
  /** Beads that an architect plans first, and that are done phase by phase. */
  planning: z.optional(
    z.strictObject({
      when: z.optional(z.enum(planningWhen)),
      approve: z.optional(z.enum(planningApproval)),
      agent: z.optional(z.enum(agentNames)),
      command: z.optional(commandLine),
      model: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
      maxParallelSubtasks: z.optional(z.int().check(z.minimum(1), z.maximum(20))),
      checkpoint: z.optional(z.enum(planningCheckpoints)),
    }),
  ),
  /** `write: false`: beads are read, and changes here are not written back. */
  tracker: z.optional(z.strictObject({ write: z.optional(z.boolean()) })),
  verification: z.optional(
    z.strictObject({
      maxAttempts: z.optional(z.int().check(z.minimum(1), z.maximum(3))),
      /** `false`: the tests of a bead are not run without its change. */
      redGreen: z.optional(z.boolean()),
      /** `false`: beads start although every check fails on the base, and each failing check counts. */
      proveBase: z.optional(z.boolean()),
      /** `true`: work on code that no test could check is accepted, and says so. */
      acceptUnchecked: z.optional(z.boolean()),
      /** The reaction to work that adds something that looks like a secret. */
      secrets: z.optional(z.enum(secretModes)),
      /** The reaction to a changed test that passed before and fails in its former form. */
      originalTests: z.optional(z.enum(originalTestsModes)),
      /** Changes to files that run elsewhere that need a person's approval. */
      elsewhere: z.optional(z.enum(elsewhereModes)),
    }),
  ),
  /**
   * By bead id: another agent or command line for the bead. `ignore`, which is no bead's id: beads that are not work.
   */
  beads: z.optional(
    z.catchall(
      z.object({
        ignore: z.optional(
          z
            .array(z.string().check(z.maxLength(LONGEST_IGNORED), z.refine(isIgnoreRule, IGNORED_SAYS)))
            .check(z.maxLength(MOST_IGNORED)),
        ),
      }),
      z.strictObject({
        agent: z.optional(z.enum(agentNames)),
        command: z.optional(commandLine),
        planning: z.optional(
          z.strictObject({ when: z.optional(z.enum(planningWhen)), approve: z.optional(z.enum(planningApproval)) }),
        ),
      }),
    ),
  ),
})
export type ProjectConfig = z.infer<typeof ProjectConfig>

/** The two parts of `beads`. */
export function beadsOf({ beads = {} }: ProjectConfig) {
  const { ignore, ...own } = beads
  return { ignore, own }
}
