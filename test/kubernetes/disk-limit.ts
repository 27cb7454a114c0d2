import { client } from './cluster-stage.ts'

const LIMITS = 'for-a-test'
const { namespace } = client

/** What the containers of new pods may write, as an administrator limits it: "200Mi". */
export const limitDisks = (most: string): Promise<unknown> =>
  client.call('limit disks', ({ core }) =>
    core.createNamespacedLimitRange({
      namespace,
      body: {
        metadata: { name: LIMITS },
        spec: { limits: [{ type: 'Container', _default: { 'ephemeral-storage': most } }] },
      },
    }),
  )

export const noLimits = (): Promise<unknown> =>
  client
    .call('remove limits', ({ core }) => core.deleteNamespacedLimitRange({ namespace, name: LIMITS }))
    .catch(() => {}) // most tests make none
