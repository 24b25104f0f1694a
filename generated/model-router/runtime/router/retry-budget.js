/* eslint-disable */
// biome-ignore-all lint: generated
// biome-ignore-all assist: generated
// biome-ignore-all format: generated
/**
 * @generated
 * Part of switchyard; edits are lost.
 */
// As in the standard mode of the AWS SDKs: a hundred repetitions, and one more for every five calls that need none.
const most = 500;
const price = 5;
export function createRetryBudget() {
    let left = most;
    return {
        spend() {
            if (left < price)
                return false;
            left -= price;
            return true;
        },
        refund(wasRepeated) {
            left = Math.min(most, left + (wasRepeated ? price : 1));
        },
    };
}
