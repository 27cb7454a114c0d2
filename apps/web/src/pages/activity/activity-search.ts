export const periods = [1, 7, 30] as const
export type Period = (typeof periods)[number]

/** Left out: the last 24 hours. */
export type ActivitySearch = { days?: Period | undefined }

export const parseActivitySearch = (search: Record<string, unknown>): ActivitySearch => ({
  days: periods.find((one) => one !== 1 && one === Number(search['days'])),
})

export const periodName = (days: Period): string => (days === 1 ? '24 hours' : `${days} days`)
