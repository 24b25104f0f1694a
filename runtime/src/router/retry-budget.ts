/** Bounds what the calls of one client repeat together, so that a dead server is not sent four times as much. */
export type RetryBudget = {
  /** Takes the price of one repetition; false where too little is left. */
  spend(): boolean;
  /** A call succeeded. */
  refund(wasRepeated: boolean): void;
};

// As in the standard mode of the AWS SDKs: a hundred repetitions, and one more for every five calls that need none.
const most = 500;
const price = 5;

export function createRetryBudget(): RetryBudget {
  let left = most;
  return {
    spend() {
      if (left < price) return false;
      left -= price;
      return true;
    },
    refund(wasRepeated) {
      left = Math.min(most, left + (wasRepeated ? price : 1));
    },
  };
}
