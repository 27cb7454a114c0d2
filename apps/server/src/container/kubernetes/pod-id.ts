import type { V1Pod } from '@kubernetes/client-node'

/** What a pod is called by the rest of the server: another one of the same name is another one. */
export const idOf = (pod: V1Pod): string => `pod/${pod.metadata?.name ?? ''}/${pod.metadata?.uid ?? ''}`

export const isPod = (container: string): boolean => container.startsWith('pod/')
export const nameOf = (container: string): string => container.split('/')[1] ?? ''
export const uidOf = (container: string): string => container.split('/')[2] ?? ''
