import type { KubernetesSettings } from '../../../process/settings/kubernetes-settings.ts'
import type { KubeClient } from '../kube-client.ts'
import { neededRights, policyRights, queueRights, usefulRights, type Right } from './needed-rights.ts'

/** Verbs with their objects: "create pods/exec". */
export type MissingRights = { needed: string[]; useful: string[] }

export const rightsFor = ({ runtimeClass }: Pick<KubernetesSettings, 'runtimeClass'>): Right[] => [
  ...neededRights,
  ...(runtimeClass === undefined ? policyRights : []),
]

/** The rights that the account lacks, from the cluster itself: one question for each verb. */
export async function missingRights(client: KubeClient, settings: KubernetesSettings): Promise<MissingRights> {
  const missing = async (rights: readonly Right[]) => {
    const asked = rights.flatMap((right) => right.verbs.map((verb) => ({ right, verb })))
    const answers = await Promise.all(asked.map(async (one) => ((await isAllowed(client, one)) ? [] : [wordsOf(one)])))
    return answers.flat()
  }
  const wished = settings.queue === undefined ? usefulRights : [...usefulRights, ...queueRights]
  const [needed, useful] = await Promise.all([missing(rightsFor(settings)), missing(wished)])
  return { needed, useful }
}

type Asked = { right: Right; verb: string }

const wordsOf = ({ right: { group, resource }, verb }: Asked): string =>
  `${verb} ${resource}${group === '' ? '' : `.${group}`}`

async function isAllowed(client: KubeClient, { right, verb }: Asked): Promise<boolean> {
  const { group, resource: whole, everywhere } = right
  const [resource = '', subresource] = whole.split('/')
  const answer = await client.call(`say whether we may ${wordsOf({ right, verb })}`, ({ authorization }) =>
    authorization.createSelfSubjectAccessReview({
      body: {
        spec: {
          resourceAttributes: {
            group,
            resource,
            verb,
            ...(subresource !== undefined && { subresource }),
            ...(everywhere === undefined && { namespace: client.namespace }),
          },
        },
      },
    }),
  )
  return answer.status?.allowed ?? false
}
