/** A success in the shape of all clients at once. */
export const success = JSON.stringify({
  id: 'prediction-1',
  status: 'succeeded',
  output: 'text',
  created: 0,
  images: [{ url: 'https://assets.example/1.png' }],
  data: [{ url: 'https://assets.example/1.png' }],
  seed: 1,
});
