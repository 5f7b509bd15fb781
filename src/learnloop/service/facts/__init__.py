"""The face of the model stage: consent, requests and answers, facts and runs."""
