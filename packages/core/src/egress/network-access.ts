/** A sandbox's network: all of it, or the hosts that match a rule (`allow-rule.ts`), which may be none. */
export type NetworkAccess = { network: 'none' | 'bridge'; allow: readonly string[] }
