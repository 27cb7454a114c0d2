export type SettingValue = string | number | boolean | string[] | null

/** `list`: words, one a line. A number is whole unless `fraction`. */
export type SettingKind =
  | { kind: 'text'; longest: number }
  | { kind: 'number'; least: number; most: number; unit: SettingUnit; fraction?: true }
  | { kind: 'boolean' }
  | { kind: 'choice'; choices: readonly string[] }
  | { kind: 'list' }

export type SettingUnit = 's' | 'ms' | 'MiB' | 'CPUs' | 'tokens' | '%' | ''
