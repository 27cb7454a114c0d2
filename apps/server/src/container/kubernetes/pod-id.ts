import type { V1Pod } from '@kubernetes/client-node'

/** The rest of the server's name for a pod: a new pod with the same name has another one. */
export const idOf = (pod: V1Pod): string => `pod/${pod.metadata?.name ?? ''}/${pod.metadata?.uid ?? ''}`

export const isPod = (container: string): boolean => container.startsWith('pod/')
export const nameOf = (container: string): string => container.split('/')[1] ?? ''
export const uidOf = (container: string): string => container.split('/')[2] ?? ''
